import { Option } from 'commander';

/** The `--data` option that every command over a data folder takes. */
export function dataOption(): Option {
  return (
    new Option('--data <dir>', 'data folder')
      .env('ODDSLAB_DATA')
      .default('data', './data')
      // An empty variable means that none is set, not the folder that one is in.
      .argParser((folder) => folder || 'data')
  );
}
