import { HospitalityPayment } from '../../../nodes/HospitalityPayment/HospitalityPayment.node';
import { prepareRequest } from '../../../nodes/shared/run/request';
import { standardLabels } from '../../support/forms';
import { type Form, type Row, SETTINGS, itemOf, rows } from '../../support/sampleForm';

const PLACE = { resource: 'customer', operation: 'authenticate' };
const row = rows.find(({ id }) => id === 'customer.authenticate') as Row;

function bodySentFor(form: Form): unknown {
	const item = itemOf(row, form);
	Object.assign(item.account, { credentials: { customerId: 'own', password: 'secret' } });
	return prepareRequest(item, row.operation, SETTINGS).body;
}

test("'Another Customer' is shown for another customer alone", () => {
	const { properties } = new HospitalityPayment().description;
	const labelsFor = (customer: string) => standardLabels(properties, { ...PLACE, customer });

	expect(labelsFor('another')).toContain('Another Customer');
	expect(labelsFor('own')).not.toContain('Another Customer');
});

test("the credential's own customer is authenticated where the form says so, and nowhere else", () => {
	expect(bodySentFor({ customer: 'own' })).toEqual({ CustomerId: 'own', Password: 'secret' });
	expect(() => bodySentFor({})).toThrow("'Customer ID' is empty");
});
