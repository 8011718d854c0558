import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { HospitalityBookingTrigger } from '../../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node';
import { HospitalityPayment } from '../../nodes/HospitalityPayment/HospitalityPayment.node';

/** What workflows store of a parameter and what is within it, a line each: labels and help may change, this may not. */
function linesOf(property: INodeProperties, within = ''): string[] {
	const { name, type, default: standard, displayOptions, required, typeOptions, options = [] } = property;
	const path = within === '' ? name : `${within}.${name}`;
	const values = options.flatMap((option) => ('value' in option ? [option.value] : []));
	const told = { default: standard, required, typeOptions, displayOptions, values };
	const inner = options.flatMap((option) => {
		if ('values' in option) return option.values.flatMap((each) => linesOf(each, `${path}.${option.name}`));
		return 'type' in option ? linesOf(option, path) : [];
	});
	const modes = (property.modes ?? []).map((mode) => `${path} mode ${mode.name} ${mode.type}`);
	return [`${path} ${type} ${JSON.stringify(told)}`, ...modes, ...inner];
}

test.each<[string, { description: INodeTypeDescription }]>([
	['Hospitality Booking', new HospitalityBooking()],
	['Hospitality Booking Trigger', new HospitalityBookingTrigger()],
	['Hospitality Payment', new HospitalityPayment()],
])('%s has the parameters and values that workflows store', (_, { description }) => {
	const { name, version, inputs, outputs, credentials, properties } = description;

	expect({ name, version, inputs, outputs, credentials }).toMatchSnapshot();
	expect(properties.flatMap((property) => linesOf(property)).join('\n')).toMatchSnapshot();
});
