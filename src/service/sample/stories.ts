import { itemAt } from '../../base/item-at.js';
import type { Random } from './random.js';
// People, parties, companies, shows and teams are invented; cities, countries and coins are real.
import names from './story-words.json' with { type: 'json' };

/** The number of categories: politics, sports, crypto, weather, tech, entertainment. */
export const CATEGORY_COUNT = 6;

/** A question that a market asks, and the names of its two outcomes. */
interface Question {
  text: string;
  /** What distinguishes the market from the others of its event. */
  item: string;
  outcomes: [string, string];
}

/** An event's title and questions. */
export interface Story {
  title: string;
  questions: Question[];
}

/** The date on which a story ends, in words. */
export interface StoryDate {
  /** `March 4`. */
  day: string;
  /** `March`. */
  month: string;
}

const yesNo: [string, string] = ['Yes', 'No'];

/** Makes an event of a single question. */
export function tellSingle(random: Random, category: number, date: StoryDate): Story {
  const text = itemAt(singles, category)(random, date);
  return { title: text, questions: [{ text, item: '', outcomes: yesNo }] };
}

/** Makes an event of several questions of which exactly one will be answered Yes. */
export function tellGroup(random: Random, category: number, date: StoryDate, count: number): Story {
  const { title, question, items } = itemAt(groups, category)(random, date);
  const first = random.below(items.length);
  const chosen = Array.from({ length: count }, (_, i) => itemAt(items, (first + i) % items.length));
  return { title, questions: chosen.map((item) => ({ text: question(item), item, outcomes: yesNo })) };
}

/** Makes a match of two teams: who wins, and whether many points are scored. */
export function tellMatch(random: Random, date: StoryDate): Story {
  const home = random.below(names.city.length);
  const away = (home + 1 + random.below(names.city.length - 1)) % names.city.length;
  const teams: [string, string] = [
    `${names.city[home]} ${random.pick(names.animal)}`,
    `${names.city[away]} ${random.pick(names.animal)}`,
  ];
  const title = `${teams[0]} vs. ${teams[1]} (${random.pick(names.league)}, ${date.day})`;
  const line = `${random.pick([2, 38, 45, 88, 104, 210])}.5`;
  const total: Question = { text: `${title}: O/U ${line}`, item: `O/U ${line}`, outcomes: ['Over', 'Under'] };
  return { title, questions: [{ text: title, item: 'Match Winner', outcomes: teams }, total] };
}

type Single = (random: Random, date: StoryDate) => string;

const person = (random: Random) => `${random.pick(names.given)} ${random.pick(names.family)}`;

const singles: readonly Single[] = [
  (r, d) =>
    r.pick([
      `Will ${person(r)} be confirmed as finance minister of ${r.pick(names.country)} by ${d.day}?`,
      `Will ${r.pick(names.country)} call a snap election by ${d.day}?`,
      `Will the ${r.pick(names.party)} leave the governing coalition in ${r.pick(names.country)} by ${d.day}?`,
      `Will the budget of ${r.pick(names.country)} pass by ${d.day}?`,
    ]),
  (r, d) =>
    r.pick([
      `Will ${person(r)} break the ${r.pick(names.league)} scoring record by ${d.day}?`,
      `Will the ${r.pick(names.city)} ${r.pick(names.animal)} name a new coach by ${d.day}?`,
      `Will the ${r.pick(names.city)} ${r.pick(names.animal)} reach the ${r.pick(names.league)} final on ${d.day}?`,
    ]),
  (r, d) =>
    r.pick([
      `Will ${r.pick(names.coin)} close higher on ${d.day}?`,
      `Will ${r.pick(names.coin)} set a new yearly high by ${d.day}?`,
      `Will ${r.pick(names.coin)} gain ${r.pick([5, 10, 15, 20])}% before ${d.day}?`,
    ]),
  (r, d) =>
    r.pick([
      `Will it rain in ${r.pick(names.city)} on ${d.day}?`,
      `Will ${r.pick(names.city)} be warmer than its average in ${d.month}?`,
      `Will a named storm reach ${r.pick(names.country)} by ${d.day}?`,
    ]),
  (r, d) =>
    r.pick([
      `Will ${r.pick(names.company)} release ${r.pick(names.product)} by ${d.day}?`,
      `Will ${r.pick(names.company)} announce a merger by ${d.day}?`,
      `Will ${r.pick(names.company)} lead the open model ranking on ${d.day}?`,
    ]),
  (r, d) =>
    r.pick([
      `Will "${r.pick(names.film)}" gross $${r.pick([50, 80, 120, 200])}M by ${d.day}?`,
      `Will ${r.pick(names.singer)} announce a tour by ${d.day}?`,
      `Will "${r.pick(names.film)}" score above ${r.pick([70, 80, 90])} with critics on ${d.day}?`,
    ]),
];

interface Group {
  title: string;
  question: (item: string) => string;
  /** At least eight items, as many as the largest group has. */
  items: string[];
}

const candidates = names.family2.map((family, i) => `${names.given[i]} ${family}`);
const ranges = (unit: string, from: number, step: number): string[] =>
  Array.from({ length: 8 }, (_, i) => `${from + i * step}-${from + (i + 1) * step}${unit}`);

const groups: readonly TellGroup[] = [
  (r, d) => {
    const race = r.pick([
      'president of',
      'prime minister of',
      'the party vote in',
      'the mayoral race of the capital of',
    ]);
    const title = `Who will win ${race} ${r.pick(names.country)} in ${d.month}?`;
    return { title, question: (item) => title.replace('Who will', `Will ${item}`), items: candidates };
  },
  (r, d) => {
    const league = r.pick(names.league);
    const animal = r.pick(names.animal);
    return {
      title: `${league} winner in ${d.month}`,
      question: (item) => `Will the ${item} win the ${league} in ${d.month}?`,
      items: names.city.map((city) => `${city} ${animal}`),
    };
  },
  (r, d) => {
    const coin = r.pick(names.coin);
    return {
      title: `${coin} return in the month to ${d.day}`,
      question: (item) => `Will the return of ${coin} in the month to ${d.day} be ${item}?`,
      items: ['below -20%', '-20 to -10%', '-10 to -5%', '-5 to 0%', '0 to 5%', '5 to 10%', '10 to 20%', 'above 20%'],
    };
  },
  (r, d) => {
    const title = `Highest temperature in ${r.pick(names.city)} on ${d.day}`;
    return {
      title,
      question: (item) => `Will the ${title.replace('Highest', 'highest')} be ${item}?`,
      items: ranges('C', r.below(20), 2),
    };
  },
  (_, d) => ({
    title: `Which company has the best open model on ${d.day}?`,
    question: (item) => `Will ${item} have the best open model on ${d.day}?`,
    items: [...names.company],
  }),
  (r, d) => {
    const award = r.pick(names.award);
    const films = [...names.film, 'Under Copper Skies', 'The Cartographer'];
    return {
      title: `${award} ${d.month}: best picture`,
      question: (item) => `Will "${item}" win the ${award} for best picture in ${d.month}?`,
      items: films,
    };
  },
];

type TellGroup = (random: Random, date: StoryDate) => Group;
