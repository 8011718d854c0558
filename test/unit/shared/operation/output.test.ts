import omit from 'lodash/omit';

import { listedWebBookings } from '../../../../nodes/shared/booking/outputColumns';
import { responseFields } from '../../../../nodes/shared/contract/responseFields';
import { selectedShaper } from '../../../../nodes/shared/output/recordShape';
import { sampleOf } from '../../../sandbox/support/contract';
import { prepare } from '../../../support/sampleForm';
import { rowOf } from '../../support/execution';

/** What the service leaves out of a booking, unless it is asked for it. */
const LEFT_OUT = {
	includeContact: 'contact',
	includeInternalContact: 'internalContactName',
	includeTableArticles: 'articles',
	includeNonTableArticles: 'nonTableArticles',
	includePayMethod: 'payMethod',
	includeCustomer: 'customer',
	includeMarkings: 'markings',
};

const CONTEXT = { timeZone: 'UTC', language: 'en-GB', statusRoles: {} };
/** A booking with everything but an arrangement, which would stand for its articles. */
const WHOLE = {
	...(sampleOf({ $ref: '#/components/schemas/WebBooking' }) as object),
	arrangementName: '',
};

const { simplified = {}, computed = {}, schema = '' } = listedWebBookings;
const names = new Set(
	Object.keys(simplified).concat(Object.keys(computed), responseFields[schema] ?? []),
);

/** The booking as it comes in response to what a form asks for. */
async function receivedFor(form: object): Promise<object> {
	const { query } = await prepare(rowOf('webBooking.getAll'), {
		...form,
		filters: {},
		options: {},
	});
	const asked = query.include as string[];
	const notAsked = Object.entries(LEFT_OUT).filter(([flag]) => !asked.includes(flag));
	return omit(
		WHOLE,
		notAsked.map(([, field]) => field),
	);
}

test.each([...names])("%s asks for all that it needs under 'Selected Fields'", async (name) => {
	const shape = selectedShaper(listedWebBookings, [name], CONTEXT);

	const received = await receivedFor({ output: 'selected', outputFields: [name] });

	expect(shape(received)).toEqual(shape(WHOLE));
});

test("'Simplified' asks for all that it needs", async () => {
	const shape = selectedShaper(listedWebBookings, Object.keys(simplified), CONTEXT);

	const received = await receivedFor({ output: 'simplified' });

	expect(shape(received)).toEqual(shape(WHOLE));
});
