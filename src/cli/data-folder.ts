import { Option } from 'commander';

/** The `--data` option of every command that uses a data folder. */
export function dataOption(): Option {
  return (
    new Option('--data <dir>', 'data folder')
      .env('ODDSLAB_DATA')
      .default('data', './data.js')
      // An empty variable counts as unset, not as the working directory.
      .argParser((folder) => folder || 'data')
  );
}
