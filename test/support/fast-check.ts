import fc from 'fast-check';

// The same cases at every run, so that a change is judged by what it does; `ODDSLAB_FUZZ=1` looks for new ones. A
// failure prints its seed either way.
if (!process.env.ODDSLAB_FUZZ) fc.configureGlobal({ seed: 20_261_121 });

export default fc;
