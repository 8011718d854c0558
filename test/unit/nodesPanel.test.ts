import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import action from '../../nodes/HospitalityBooking/HospitalityBooking.node.json';
import trigger from '../../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node.json';
import { HospitalityBookingTrigger } from '../../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node';

// n8n merges a trigger and its action into one entry, with the action's aliases and the trigger's description.
it.each(
	'new booking,booking canceled,booking changed,no-show,payment,bokning,restaurang,hotell,Buchung'.split(','),
)('the entry in the nodes panel is found by %s', (words) => {
	expect(action.alias).toContain(words);
});

it('every word that finds the trigger finds the entry', () => {
	expect(trigger.alias.filter((words) => !action.alias.includes(words))).toEqual([]);
});

it('the description of the entry is that of both nodes', () => {
	expect(new HospitalityBookingTrigger().description.description).toBe(
		new HospitalityBooking().description.description,
	);
});
