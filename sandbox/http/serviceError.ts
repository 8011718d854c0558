/** A rejection by the service, thrown by routes and turned into the error body that the operation documents. */
export class ServiceError extends Error {
	readonly status: number;
	/** Where the request is wrong: field path and what is allowed there. */
	readonly fields: FieldError[];

	constructor(status: number, message: string, fields: FieldError[] = []) {
		super(message);
		this.status = status;
		this.fields = fields;
	}
}

/** One thing wrong with a request. */
export interface FieldError {
	/** e.g. `items[3].prices.regular.inclVat` */
	field: string;
	/** e.g. `Type`, `MaxItems`, `NotFound` */
	errorId: string;
	message: string;
}

/** A 400 about one field. */
export function invalid(field: string, errorId: string, message: string): ServiceError {
	return new ServiceError(400, `${field} ${message}`, [{ field, errorId, message }]);
}

/** A 404 about something that does not exist. */
export function notFound(what: string): ServiceError {
	return new ServiceError(404, `${what} does not exist`);
}
