import { EVENTS, type TriggerEvent } from '../../nodes/HospitalityBookingTrigger/feeds/events';

import type { BookingFilters, Choice } from '../../nodes/HospitalityBookingTrigger/feeds/kinds';
import { type Feed, makeFeed } from '../../nodes/HospitalityBookingTrigger/feeds/makeFeed';

/** @returns the feed of an event, as a form with nothing else on it chooses it */
export function feedOf(
	event: TriggerEvent,
	{ filters, ...more }: Partial<Omit<Choice, 'filters'>> & { filters?: BookingFilters } = {},
): Feed {
	const choice = {
		zone: 'UTC',
		unitParameter: 'unitIds',
		include: [],
		whatChanged: false,
		distanceMs: 0,
		surveyId: '',
	};
	return makeFeed(EVENTS[event], { ...choice, ...more, filters: { ...filters } });
}
