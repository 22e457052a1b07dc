import { createHash } from 'node:crypto';

/**
 * The script of pages with charts: it shows the tip of the point nearest to the pointer, with a crosshair or the whole
 * column of a bar, and makes the points reachable by the arrow keys. It takes what pages hold for text alone and asks
 * for nothing. Once a page is enough, however many charts are in it, also in the outputs that have a tree of their own.
 * A picture without a `viewBox` stretches with the page: its view names the size that its points are in.
 */
export const CHART_SCRIPT = `(() => {
'use strict';
const NS = 'http://www.w3.org/2000/svg';
const tip = document.createElement('div');
tip.className = 'chart-tip';
tip.hidden = true;
tip.setAttribute('aria-hidden', 'true');
const pointsOf = (plots) => plots.flatMap((plot) => {
  const { at, size } = plot;
  const points = [];
  for (let i = 0; i < at.length; i += size) {
    const [x1, y1, x2 = x1, y2 = y1] = at.slice(i, i + size);
    points.push({ plot, x: (x1 + x2) / 2, y: (y1 + y2) / 2, x1: Math.min(x1, x2), y1: Math.min(y1, y2), x2: Math.max(x1, x2), y2: Math.max(y1, y2) });
  }
  return points;
});
const outside = (from, to, at) => Math.max(from - at, at - to, 0);
const FAR = {
  x: (p, x) => Math.abs(p.x - x),
  lines: (p, x, y) => Math.abs(p.x - x) + 0.3 * Math.abs(p.y - y),
  xy: (p, x, y) => Math.hypot(p.x - x, p.y - y),
  column: (p, x) => outside(p.x1, p.x2, x) + 1e-3 * Math.abs(p.x - x),
  row: (p, x, y) => outside(p.y1, p.y2, y) + 1e-3 * Math.abs(p.y - y),
  cell: (p, x, y) => Math.hypot(outside(p.x1, p.x2, x), outside(p.y1, p.y2, y)) + 1e-3 * Math.hypot(p.x - x, p.y - y),
};
const start = (view, given) => {
  const svg = view.querySelector('svg');
  const points = pointsOf(JSON.parse(view.dataset.plots));
  const { labels, rows } = view.dataset.tips ? JSON.parse(view.dataset.tips) : given;
  const lines = rows.map(([kind, ...values]) => values.map((value, i) => [labels[kind][i], value]));
  const own = svg.getAttribute('viewBox');
  const [width, height] = (own ?? view.dataset.size).split(' ').slice(-2).map(Number);
  const sizes = () => {
    const box = svg.getBoundingClientRect();
    return { box, wide: box.width / width, high: box.height / height };
  };
  let now = -1;
  let shade;
  const hide = () => {
    now = -1;
    shade?.remove();
    tip.hidden = true;
  };
  const draw = (name, attributes) => {
    const part = document.createElementNS(NS, name);
    for (const [key, value] of Object.entries(attributes)) part.setAttribute(key, value);
    shade.append(part);
  };
  const rule = (x1, y1, x2, y2) => draw('line', { x1, y1, x2, y2, stroke: 'currentColor', 'stroke-opacity': 0.55 });
  const show = (index) => {
    if (index !== now) {
      now = index;
      shade?.remove();
      shade = document.createElementNS(NS, 'g');
      shade.setAttribute('class', 'chart-hover');
      shade.setAttribute('pointer-events', 'none');
      svg.append(shade);
      const { wide: kx, high: ky } = own ? { wide: 1, high: 1 } : sizes();
      const { plot, ...places } = points[index];
      const p = Object.fromEntries(Object.entries(places).map(([name, at]) => [name, at * (name[0] === 'x' ? kx : ky)]));
      const [left, top, wide, high] = plot.box.map((at, i) => at * (i % 2 ? ky : kx));
      const { find, size } = plot;
      const band = { fill: 'currentColor', 'fill-opacity': 0.1 };
      if (find === 'column') draw('rect', { x: p.x1, y: top, width: Math.max(1, p.x2 - p.x1), height: high, ...band });
      else if (find === 'row') {
        const half = size === 4 ? 0 : 10;
        draw('rect', { x: left, y: p.y1 - half, width: wide, height: Math.max(1, p.y2 - p.y1) + 2 * half, ...band });
      } else if (find === 'cell') {
        draw('rect', { x: p.x1, y: p.y1, width: p.x2 - p.x1, height: p.y2 - p.y1, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 });
      } else {
        rule(p.x, top, p.x, top + high);
        if (find === 'xy') rule(left, p.y, left + wide, p.y);
        draw('circle', { cx: p.x, cy: p.y, r: 5, fill: 'none', stroke: 'currentColor', 'stroke-width': 2 });
      }
      tip.replaceChildren(...lines[index].map(([label, value]) => {
        const line = document.createElement('div');
        const strong = document.createElement('b');
        strong.textContent = value;
        line.append(label === '' ? '' : label + ': ', strong);
        return line;
      }));
    }
    tip.hidden = false;
    const p = points[index];
    const { box, wide, high } = sizes();
    const [x, y] = [box.left + p.x * wide, box.top + p.y * high];
    const right = x + 14 + tip.offsetWidth < innerWidth - 4 ? x + 14 : x - 14 - tip.offsetWidth;
    tip.style.left = Math.max(4, Math.min(right, innerWidth - tip.offsetWidth - 4)) + 'px';
    tip.style.top = Math.max(4, Math.min(y - tip.offsetHeight - 12, innerHeight - tip.offsetHeight - 4)) + 'px';
  };
  const find = (x, y) => {
    let [best, least] = [-1, Infinity];
    points.forEach((p, i) => {
      const [left, top, wide, high] = p.plot.box;
      if (outside(left - 10, left + wide + 10, x) + outside(top - 10, top + high + 10, y) > 0) return;
      const far = FAR[p.plot.find](p, x, y);
      if (far < least) [best, least] = [i, far];
    });
    return best;
  };
  const point = (event) => {
    const { box, wide, high } = sizes();
    const index = find((event.clientX - box.left) / wide, (event.clientY - box.top) / high);
    if (index < 0) hide();
    else show(index);
  };
  view.addEventListener('pointermove', point);
  view.addEventListener('pointerdown', point);
  view.addEventListener('pointerleave', hide);
  const reach = document.createElement('div');
  reach.className = 'chart-reach';
  reach.tabIndex = 0;
  let place = 0;
  const say = (index) => {
    place = Math.max(0, Math.min(points.length - 1, index));
    reach.setAttribute('aria-valuenow', place + 1);
    reach.setAttribute('aria-valuetext', lines[place].map(([label, value]) => (label === '' ? value : label + ': ' + value)).join('; '));
  };
  const about = { role: 'slider', 'aria-label': 'Points of the chart', 'aria-valuemin': 1, 'aria-valuemax': points.length };
  for (const [key, value] of Object.entries(about)) reach.setAttribute(key, value);
  say(0);
  const beside = (way) => {
    const here = points[place];
    let [best, least] = [place, Infinity];
    points.forEach((p, i) => {
      if (p.plot !== here.plot || (p.y - here.y) * way <= 0.5) return;
      const far = 10 * Math.abs(p.x - here.x) + Math.abs(p.y - here.y);
      if (far < least) [best, least] = [i, far];
    });
    return best;
  };
  const across = (way) => (['lines', 'xy'].includes(points[place].plot.find) ? beside(-way) : place + way);
  const KEYS = {
    ArrowRight: () => place + 1,
    ArrowLeft: () => place - 1,
    ArrowUp: () => across(1),
    ArrowDown: () => across(-1),
    PageUp: () => place + 10,
    PageDown: () => place - 10,
    Home: () => 0,
    End: () => points.length - 1,
  };
  reach.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return hide();
    if (event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    say(KEYS[event.key]());
    show(place);
  });
  reach.addEventListener('focus', () => show(place));
  reach.addEventListener('blur', hide);
  for (const change of ['scroll', 'resize']) addEventListener(change, hide, { passive: true });
  view.append(reach);
};
const all = () => {
  document.body.append(tip);
  const trees = [document, ...Array.from(document.querySelectorAll('.rich > div'), (part) => part.shadowRoot ?? part)];
  for (const figure of trees.flatMap((tree) => [...tree.querySelectorAll('figure.chart-figure')])) {
    for (const view of figure.querySelectorAll(':scope > .chart-view')) {
      if (view.querySelector('.chart-reach')) continue;
      try {
        start(view, figure.dataset.tips ? JSON.parse(figure.dataset.tips) : undefined);
      } catch {}
    }
  }
};
if (document.readyState === 'loading') addEventListener('DOMContentLoaded', all);
else all();
})();
`;

/** The source for a content security policy that allows {@link CHART_SCRIPT} alone: `script-src ${CHART_SCRIPT_SOURCE}`. */
export const CHART_SCRIPT_SOURCE = `'sha256-${createHash('sha256').update(CHART_SCRIPT).digest('base64')}'`;

/** The styles of the charts that `chartFigure` makes, and of what the script adds to them. */
export const CHART_STYLES = `.chart-figure{margin:0;position:relative;container-type:inline-size}
.chart-view{position:relative;touch-action:pan-y}
.chart-view>svg{display:block;max-width:100%}
.chart-view>svg[viewBox]{height:auto}
.chart-view.narrow{display:none;max-width:30rem}
.chart-view.narrow svg{width:100%}
.chart-reach{position:absolute;inset:0;pointer-events:none;border-radius:4px}
.chart-reach:focus-visible{outline:2px solid #1f83c4;outline-offset:2px}
.chart-tip{position:fixed;z-index:9;padding:5px 9px;border:1px solid GrayText;border-radius:4px;background:Canvas;color:CanvasText;
font:13px/1.5 system-ui,sans-serif;font-variant-numeric:tabular-nums;max-width:min(24rem,90vw);overflow-wrap:anywhere;pointer-events:none}
.chart-tip[hidden]{display:none}
@media print{.chart-tip,.chart-hover{display:none}}
`;
