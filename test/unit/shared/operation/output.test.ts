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

test.each([...names])("%s asks for all that it needs under 'Selected Fields'", async (name) => {
	const form = { output: 'selected', outputFields: [name], filters: {}, options: {} };
	const shape = selectedShaper(listedWebBookings, [name], CONTEXT);

	const { query } = await prepare(rowOf('webBooking.getAll'), form);

	const asked = query.include as string[];
	const notAsked = Object.entries(LEFT_OUT).filter(([flag]) => !asked.includes(flag));
	const received = omit(
		WHOLE,
		notAsked.map(([, field]) => field),
	);
	expect(shape(received)).toEqual(shape(WHOLE));
});

test("'Simplified' asks for all that it needs", async () => {
	const form = { output: 'simplified', filters: {}, options: {} };
	const shape = selectedShaper(listedWebBookings, Object.keys(simplified), CONTEXT);

	const { query } = await prepare(rowOf('webBooking.getAll'), form);

	const asked = query.include as string[];
	const notAsked = Object.entries(LEFT_OUT).filter(([flag]) => !asked.includes(flag));
	const received = omit(
		WHOLE,
		notAsked.map(([, field]) => field),
	);
	expect(shape(received)).toEqual(shape(WHOLE));
});
