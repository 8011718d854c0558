import { readFileSync } from 'node:fs';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { HospitalityBookingTrigger } from '../../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node';

const wordsOf = (node: string) =>
	(JSON.parse(readFileSync(`nodes/${node}/${node}.node.json`, 'utf8')) as { alias: string[] }).alias;
const [action, trigger] = [wordsOf('HospitalityBooking'), wordsOf('HospitalityBookingTrigger')];

// n8n merges a trigger and its action into one entry, with the action's aliases and the trigger's description.
it.each(
	'new booking,booking canceled,booking changed,no-show,payment,bokning,restaurang,hotell,Buchung'.split(','),
)('the entry in the nodes panel is found by %s', (words) => {
	expect(action).toContain(words);
});

it('every word that finds the trigger finds the entry', () => {
	expect(trigger.filter((words) => !action.includes(words))).toEqual([]);
});

it('the description of the entry is that of both nodes', () => {
	expect(new HospitalityBookingTrigger().description.description).toBe(
		new HospitalityBooking().description.description,
	);
});
