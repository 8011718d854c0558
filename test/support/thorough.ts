/**
 * What a test tries of what can be generated: few cases in `npm test`, for an answer in minutes, many in `npm test -- --all`. Unit and
 * engine tests that draw more are named `*.generated.test.ts`, so that `.ci/run` runs them alone a second time.
 */
export function generated<T>(few: T, many: T): T {
	return process.env.THOROUGH === 'true' ? many : few;
}
