/** The service asked for a pause that is longer than the call may wait. */
export class PauseError extends Error {
	override name = 'PauseError';

	/** @param status that asked for it: 429 or 503 @param pauseMs until it ends */
	constructor(
		readonly status: number,
		readonly pauseMs: number,
	) {
		super('The service asked for a pause that is longer than the call may wait');
	}
}
