import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of tests that take minutes: how their paths within `test` begin. */
const LONG = [
  'deploy/',
  'e2e/demo',
  'fetch/kills',
  'fetch/wallet-faults',
  'jupyter/notebooks',
  'kernel/types/',
  'page/browser/',
  'service/accounts/governed',
  'service/clickhouse/cluster',
  'service/ingest/',
];

/** Begins each project with the files that take longest, so that none of them is left alone in the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((start) => moduleId.includes(`/test/${start}`));
    return [...new Set(sorted.map(({ project }) => project))].flatMap((project) => {
      const own = sorted.filter((file) => file.project === project);
      return [...own.filter(isLong), ...own.filter((file) => !isLong(file))];
    });
  }
}
