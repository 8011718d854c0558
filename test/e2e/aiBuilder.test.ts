import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { root } from '../support/packageSources';
import { connect } from './support/stack.ts';

/** What n8n's AI builder may have to read of a node to use one operation of it. */
const MOST_CHARACTERS = 70_000;

/** n8n's own generator of the text. */
const { synthesizeNodeTypeDef } = createRequire(join(root, 'dev', 'package.json'))(
	'n8n/dist/modules/mcp-registry/synthesize-type-def.js',
) as { synthesizeNodeTypeDef(description: INodeTypeDescription): string };

test.each(['hospitalityBooking', 'hospitalityBookingTrigger', 'hospitalityPayment'])(
	"what n8n's AI builder reads of %s, as n8n has loaded it, stays below 70,000 characters",
	async (name) => {
		const types = (await connect().client.request('GET', '/types/nodes.json')) as INodeTypeDescription[];
		const description = types.find((type) => type.name === `n8n-nodes-hospitality-booking.${name}`);
		if (!description) throw new Error(`n8n has not loaded ${name}`);
		const text = synthesizeNodeTypeDef(description);

		expect(text).toContain('Expression<');
		expect(text).not.toContain('requestOptions');
		expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
	},
);
