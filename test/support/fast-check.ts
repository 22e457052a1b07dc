import fc from 'fast-check';

// Every run tests the same cases, so that a failure is due to a change. `ODDSLAB_FUZZ=1` draws new ones. A failure
// prints its seed either way.
if (!process.env.ODDSLAB_FUZZ) fc.configureGlobal({ seed: 20_261_121 });

export default fc;

/** A tenth of the cases that a slow property has, as they are the same in every run, and with `ODDSLAB_FUZZ=1` all. */
export function cases(all: number): number {
  return process.env.ODDSLAB_FUZZ ? all : Math.ceil(all / 10);
}
