/** What a test tries of what can be generated: few cases in `npm test`, for an answer in minutes, many in `npm test -- --all`. */
export function generated<T>(few: T, many: T): T {
	return process.env.THOROUGH === 'true' ? many : few;
}
