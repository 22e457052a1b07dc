import type { Contender } from './benchmark.js';

/** Times work in this process, in ms, on what is made ready before. */
export function timed<Input>(
  name: string,
  ready: () => Input | Promise<Input>,
  work: (input: Input) => unknown,
  more: { slow?: true } = {},
): Contender {
  return {
    name,
    ...more,
    async prepare() {
      const input = await ready();
      return {
        async measure() {
          const start = performance.now();
          await work(input);
          return performance.now() - start;
        },
      };
    },
  };
}
