import { HOUR, MINUTE, NOW, at, booking, feedOf, made, namesOf, published } from './support';

/** One that the service does not date. */
const undated = (guid: string, changed: number) => booking(guid, changed, { createdDate: null });

describe('bookings without a createdDate', () => {
	it.each(['bookingCreated', 'bookingUpdated'] as const)(
		'that are new are no event of %s, and are told once',
		async (event) => {
			const trigger = await published(feedOf(event), { records: [booking('old', -600)] });
			const pages = [[undated('a', 1)], [], [undated('b', 21)]];
			expect(namesOf(await trigger.pages(pages))).toEqual(['', '', '']);
			expect(trigger.reports).toEqual([[expect.stringContaining("'Booking Created or Updated'")]]);
		},
	);

	it('are updated once they have been seen, however long ago', async () => {
		const trigger = await published(feedOf('bookingUpdated'), { records: [booking('old', -600)] });
		const pages = [[undated('a', 1)], [booking('old', 11)], [undated('a', 21)]];
		expect(namesOf(await trigger.pages(pages))).toEqual(['', 'old', 'a']);
	});

	it('are told of nothing where the event needs no creation', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [booking('old', -600)] });
		expect(namesOf(await trigger.pages([[undated('a', 1)]]))).toEqual(['a']);
		expect(trigger.reports).toEqual([]);
	});
});

describe("the Date of the service's responses", () => {
	it('that stands still is told as that, not as the zone', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [booking('old', -600)] });
		trigger.date = () => NOW;
		expect(namesOf(await trigger.pages([[], [booking('old', 19)]]))).toEqual(['', 'old']);
		expect(trigger.reports).toEqual([
			[expect.stringContaining('stands still at 2026-07-01T12:00')],
		]);
	});

	it('that goes back by hours is told as that, for as long as it lasts', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [booking('old', -600)] });
		trigger.date = () => trigger.now - 5 * HOUR;
		expect(namesOf(await trigger.pages([[], [booking('old', 19)], []]))).toEqual(['', 'old', '']);
		expect(trigger.reports).toEqual([[expect.stringContaining('has gone back from')]]);
	});

	it('that is right says of a timestamp ahead what to check', async () => {
		const trigger = await published(feedOf('bookingChanged'), { records: [booking('old', -600)] });
		await trigger.pages([[booking('old', at(100))]]);
		expect(trigger.reports).toEqual([[expect.stringMatching(/ahead.*check the clock/)]]);
	});
});

describe('a workflow that starts itself', () => {
	it('is told once, after the same booking has changed at each of ten polls', async () => {
		const trigger = await published(feedOf('bookingUpdated'), { records: [booking('a', -600)] });
		for (let poll = 1; poll <= 14; poll++) {
			trigger.now += MINUTE;
			trigger.records = [booking('a', poll)];
			expect(await trigger.poll()).toEqual(['a']);
			expect(trigger.reports).toHaveLength(poll < 10 ? 0 : 1);
		}
		expect(trigger.reports[0]?.[0]).toContain('the same web booking has changed');
	});

	it('is none where other bookings change, or one does not at some poll', async () => {
		const trigger = await published(feedOf('bookingUpdated'), { records: [booking('a', -600)] });
		for (let poll = 1; poll <= 30; poll++) {
			trigger.now += MINUTE;
			trigger.records = [poll % 9 === 0 ? made(`b${poll}`, poll) : booking('a', poll)];
			await trigger.poll();
		}
		expect(trigger.reports).toEqual([]);
	});
});
