import { type Booking, beganToday, useGallery } from './support';

const ARRIVED = 3;

describe('workflows/closing-time-check-out.json', () => {
	const gallery = useGallery();

	/** A booking that began today, with a payment that names the checkout's number of it. */
	async function guests(status?: number, withPayment = true): Promise<Booking> {
		const booking = await gallery.book(beganToday());
		const { rootId } = await gallery.stored(booking);
		await gallery.change(booking, {
			...(status === undefined ? {} : { status }),
			...(withPayment ? { paymentEvents: [{ id: 1, bookingRootId: rootId }] } : {}),
		});
		return booking;
	}

	it('checks out what is left and mails what went through, with warnings, and what did not', async () => {
		const arrived = await guests(ARRIVED);
		const notArrived = await guests();
		const withoutNumber = await guests(ARRIVED, false);
		const { run } = await gallery.load('closing-time-check-out');
		const { status } = await run();
		const [mail] = await gallery.mails(/^Closing time: \d+ of \d+ checked out$/);
		const linesOf = ({ globalBookingNumber }: Booking) =>
			(mail?.text ?? '').split('\n\n').find((lines) => lines.includes(globalBookingNumber));

		expect(status).toBe('success');
		expect(await gallery.stored(arrived)).toMatchObject({ mustBeInvoiced: true });
		expect(linesOf(arrived)).toMatch(/^Checked out {2}\S+, \S+/);
		expect(await gallery.stored(notArrived)).toMatchObject({ mustBeInvoiced: true });
		expect(linesOf(notArrived)).toContain('The guests were not checked in');
		expect(await gallery.stored(withoutNumber)).toMatchObject({ mustBeInvoiced: false });
		expect(linesOf(withoutNumber)).toMatch(/^NOT CHECKED OUT/);
		expect(linesOf(withoutNumber)).toContain(
			"Its 'Booking Root ID' is not known, because it has no payment: check it out by hand",
		);
	});

	it("lists the service's validation errors", async () => {
		const invoiced = await guests(ARRIVED);
		const { run } = await gallery.load('closing-time-check-out');
		await run();
		await gallery.change(invoiced, { status: ARRIVED });
		await run();
		const mails = await gallery.mails(/^Closing time:/, { count: 3 });

		expect(mails.at(-1)?.text).toContain(
			`Booking ${invoiced.globalBookingNumber} is already marked for invoicing`,
		);
	});
});
