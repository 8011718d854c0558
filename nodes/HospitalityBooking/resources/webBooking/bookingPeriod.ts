import attempt from 'lodash/attempt';
import isError from 'lodash/isError';
import pick from 'lodash/pick';
import { DateTime } from 'luxon';

import { type QueryPeriod, SEARCHED_PERIOD } from '../../../shared/booking/aroundNow';
import type { Field } from '../../../shared/form/fields';
import { readParameter } from '../../../shared/form/readParameter';
import { choice, parameter } from '../../../shared/form/rows';
import type { ItemContext } from '../../../shared/operation/operation';
import { asText } from '../../../shared/values/asText';
import { dayIn } from '../../../shared/values/dateTime';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { writeTime } from '../../../shared/values/writeTime';
import { wrongKind } from '../../../shared/values/plainText';
import { DAY, HOUR } from '../../../shared/values/timestamp';

/** A longer period takes more calls, one after the other, than a person waits for. */
const MOST_YEARS = 10;
const LONGEST_MS = MOST_YEARS * 366 * DAY;

export const getBy = choice(
	'Get By',
	'getBy',
	[
		{ name: 'Day', value: 'day', description: 'Bookings that start on a day' },
		{ name: 'Period', value: 'period', description: 'Bookings that take place in a period' },
		{
			name: 'Number or Guest',
			value: 'numberOrGuest',
			description: 'The booking with a number, or all bookings of a guest',
		},
		{
			name: 'Changed After',
			value: 'lastChange',
			description: 'Bookings created or changed after a time',
		},
	],
	{ description: 'How to select bookings' },
);

const date = parameter('Date', 'date', {
	as: 'day',
	typeOptions: { dateOnly: true },
	required: true,
	description: "The date, in the credential's time zone",
	displayOptions: { show: { getBy: ['day'], day: ['date'] } },
});

const days = choice(
	'Day',
	'day',
	[
		{ name: 'Today', value: 'today' },
		{ name: 'Tomorrow', value: 'tomorrow' },
		{ name: 'A Date', value: 'date' },
	],
	{
		noDataExpression: undefined,
		description:
			"The day, in the credential's time zone. An expression may give today, tomorrow or a date.",
		displayOptions: { show: { getBy: ['day'] }, hide: { '@tool': [true] } },
	},
);

const DAY_HINT = 'Enter today, tomorrow or a date, e.g. 2026-11-27';

/** 'Day' as one of the list's words, or as a date with its time. */
const day: Field = {
	...days,
	serialize(value, timeZone, label = 'Day') {
		const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
		if (word === 'today' || word === 'tomorrow' || word === 'date') return word;
		const asDate = attempt(() => date.serialize(value, timeZone, label));
		if (!isError(asDate)) return asDate;
		throw new InvalidValueError(label, wrongKind('a day', value), DAY_HINT);
	},
};

/** The name is all that an agent's model reads of a parameter. */
const DAY_FOR_AGENT = 'Day: Today, Tomorrow or YYYY-MM-DD';

/** The same as a text, since n8n lets an agent fill in no list. */
const dayForAgent: Field = {
	...parameter(DAY_FOR_AGENT, 'day', {
		as: 'string',
		default: 'today',
		placeholder: 'e.g. 2026-11-27',
		description: "The day, in the credential's time zone: today, tomorrow or a date",
		displayOptions: { show: { getBy: ['day'], '@tool': [true] } },
	}),
	serialize: (value, timeZone, label = DAY_FOR_AGENT) => day.serialize(value, timeZone, label),
};

const dayEndsAt = parameter('Day Ends At', 'dayEndsAt', {
	as: 'decimal',
	typeOptions: { minValue: 0, maxValue: 23 },
	default: 0,
	description: 'Hour at which a day ends, e.g. 5 to count a late night to the day before',
	displayOptions: { show: { getBy: ['day'] } },
});

/** A period of whole days, by the day that it is today in the credential's time zone. */
interface Days {
	name: string;
	value: string;
	description?: string;
	from: (today: DateTime) => DateTime;
	/** The first day after it. */
	to: (today: DateTime) => DateTime;
}

const PERIODS_OF_DAYS: readonly Days[] = [
	{
		name: 'Yesterday',
		value: 'yesterday',
		from: (today) => today.minus({ days: 1 }),
		to: (today) => today,
	},
	{
		name: 'Last 7 Days',
		value: 'last7Days',
		description: 'The 7 days before today',
		from: (today) => today.minus({ days: 7 }),
		to: (today) => today,
	},
	{
		name: 'This Week',
		value: 'thisWeek',
		description: 'Monday to Sunday',
		from: (today) => today.startOf('week'),
		to: (today) => today.startOf('week').plus({ weeks: 1 }),
	},
	{
		name: 'Next 7 Days',
		value: 'next7Days',
		description: 'Today and the 6 days after it',
		from: (today) => today,
		to: (today) => today.plus({ days: 7 }),
	},
	{
		name: 'This Month',
		value: 'thisMonth',
		from: (today) => today.startOf('month'),
		to: (today) => today.startOf('month').plus({ months: 1 }),
	},
	{
		name: 'Last and Next 30 Days',
		value: 'around30Days',
		description: 'The 30 days before today, today and the 30 days after it',
		from: (today) => today.minus({ days: 30 }),
		to: (today) => today.plus({ days: 31 }),
	},
	{
		name: 'Next 365 Days',
		value: 'next365Days',
		description: 'Today and the 364 days after it',
		from: (today) => today,
		to: (today) => today.plus({ days: 365 }),
	},
];

const TWO_TIMES = 'times';

const period = choice(
	'Period',
	'period',
	[
		{ name: 'Between Two Times', value: TWO_TIMES },
		...PERIODS_OF_DAYS.map((row) => pick(row, ['name', 'value', 'description'])),
	],
	{
		description: "The period, in the credential's time zone",
		displayOptions: { show: { getBy: ['period'] } },
	},
);

/** Where the two times of a period are shown. */
export const showsTwoTimes = { show: { getBy: ['period'], period: [TWO_TIMES] } };

export const numberOrGuest = parameter('Number or Guest', 'numberOrGuest', {
	as: 'string',
	required: true,
	placeholder: 'e.g. B10231 or Lind',
	hint: `Looks ${SEARCHED_PERIOD}`,
	description: "A booking's number or GUID, or the guest's name, phone or email",
	displayOptions: { show: { getBy: ['numberOrGuest'] } },
});

/** What chooses the bookings, besides the times that are sent. */
export const selection: readonly Field[] = [
	getBy,
	day,
	dayForAgent,
	date,
	dayEndsAt,
	period,
	numberOrGuest,
];

/** @returns the first time of the chosen day, and that of the next one */
export function chosenDay(item: ItemContext): QueryPeriod {
	const { timeZone } = item.account;
	const endsAt = Number(readParameter(item, dayEndsAt));
	const chosen = asText(readParameter(item, day, 'day', timeZone));
	if (chosen === 'date') {
		const entered = date.serialize(item.getParameter('date'), timeZone);
		return dayIn(timeZone, asText(entered), endsAt);
	}
	if (chosen !== 'today' && chosen !== 'tomorrow') return dayIn(timeZone, chosen, endsAt);
	const ahead = chosen === 'tomorrow' ? DAY : 0;
	// A day does not begin later for ending later: until then it is still the day before.
	const shift = ahead - endsAt * HOUR;
	return dayIn(timeZone, new Date().toISOString(), endsAt, shift);
}

/**
 * @param times as entered, for a period between two times; today where both are empty
 * @throws InvalidValueError for one alone, and for a period that is empty or too long
 */
export function chosenPeriod(item: ItemContext, times: Partial<QueryPeriod>): QueryPeriod {
	const { timeZone } = item.account;
	const chosen = readParameter(item, period);
	const chosenDays = PERIODS_OF_DAYS.find(({ value }) => value === chosen);
	if (chosenDays) return wholeDays(chosenDays, timeZone);
	const { startTime, endTime } = times;
	if (startTime === undefined && endTime === undefined) {
		return dayIn(timeZone, new Date().toISOString());
	}
	if (startTime === undefined || endTime === undefined) {
		const label = startTime === undefined ? 'Start Time' : 'End Time';
		const hint = 'Fill it in, or leave both times empty for today';
		throw new InvalidValueError(label, 'is empty', hint);
	}
	const length = Date.parse(endTime) - Date.parse(startTime);
	if (length <= 0) {
		throw new InvalidValueError('End Time', "is not after 'Start Time'", 'Choose a later time');
	}
	if (length <= LONGEST_MS) return { startTime, endTime };
	const problem = `is more than ${MOST_YEARS} years after 'Start Time'`;
	throw new InvalidValueError('End Time', problem, 'Choose a shorter period');
}

function wholeDays({ from, to }: Days, timeZone: string): QueryPeriod {
	const now = DateTime.fromMillis(Date.now(), { zone: timeZone });
	const today = now.startOf('day');
	return {
		startTime: writeTime(from(today).toMillis(), timeZone),
		endTime: writeTime(to(today).toMillis(), timeZone),
	};
}
