/** The global function by which the runner's process tells of tests. */
export const TEST_REPORTER = Symbol.for('oddslab.tests');

const REPORTER = `data:text/javascript,export default globalThis[Symbol.for('${TEST_REPORTER.description}')]`;

/** The flags by which node:test in the runner's process tells of tests by that function, unless the user chose another. */
export function testReporterFlags(env: NodeJS.ProcessEnv): string[] {
  if (/--test-reporter\b/.test(env.NODE_OPTIONS ?? '')) return [];
  return [`--test-reporter=${REPORTER}`, '--test-reporter-destination=stdout'];
}
