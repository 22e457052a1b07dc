import type { TestCase } from 'vitest/node';

/** Reports each test that failed before it passed, with what was wrong, so that no failure goes unseen. */
export const secondTries = {
  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return;
    const faults = test.result().errors?.map(({ stack, message }) => stack ?? message) ?? [];
    process.stdout.write(
      `Needed a second try: ${test.module.relativeModuleId} > ${test.fullName}\n${faults.join('\n')}\n`,
    );
  },
};
