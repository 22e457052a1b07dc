import type { Contender } from './benchmark.js';

/** A contender that times work in this process, in ms, on an input made beforehand. */
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
