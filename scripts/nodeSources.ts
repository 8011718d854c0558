import './packageSources.ts';
import type { INodeTypeDescription } from 'n8n-workflow';

import type { OutputShape } from '../nodes/shared/booking/recordShape.ts';
import type { Resource } from '../nodes/shared/operation/operation.ts';

/** A node, read from the sources. */
export interface NodeSource {
	/** Its folder in `nodes/`, e.g. `HospitalityBooking`. */
	folder: string;
	description: INodeTypeDescription;
	/** Empty for the trigger. */
	resources: readonly Resource[];
	/** The trigger's events; empty for the others. */
	events: ReadonlyArray<{ value: string; name: string; output: OutputShape }>;
}

/** Reads the nodes from the sources. Needs the files that `npm run generate` compiles from the contract. */
export async function readNodes(): Promise<NodeSource[]> {
	const { HospitalityBooking } = await import('../nodes/HospitalityBooking/HospitalityBooking.node.ts');
	const { bookingService } = await import('../nodes/HospitalityBooking/resources/index.ts');
	const { HospitalityBookingTrigger } =
		await import('../nodes/HospitalityBookingTrigger/HospitalityBookingTrigger.node.ts');
	const { eventRows } = await import('../nodes/HospitalityBookingTrigger/feeds/events.ts');
	const { HospitalityPayment } = await import('../nodes/HospitalityPayment/HospitalityPayment.node.ts');
	const { paymentService } = await import('../nodes/HospitalityPayment/resources/index.ts');
	return [
		{ Type: HospitalityBooking, ...bookingService, events: [] },
		{
			Type: HospitalityBookingTrigger,
			resources: [],
			events: eventRows().map(({ kind, ...event }) => ({ ...event, output: kind.output })),
		},
		{ Type: HospitalityPayment, ...paymentService, events: [] },
	].map(({ Type, ...node }) => ({ ...node, folder: Type.name, description: new Type().description }));
}
