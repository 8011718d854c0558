import { parseArgs } from 'node:util';

const COMPARISONS = ['requests', 'limits', 'limiters'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const HELP = `npm run bench -- [options]

  --only NAME      one comparison, as below; may be repeated
                     requests   1,000 items through this node and through n8n's HTTP Request node
                     limits     the same on services with limits: calls at once, calls a second, pauses
                     limiters   the limiter beside published algorithms on services drawn at random, simulated
  --row TEXT       of the limits, only the services whose name holds this text
  --seed NUMBER    of the limiters, the first of the 500 services drawn; unless given it follows from the version
  --quick          few items and one round, to see that the benchmark itself works; its times say nothing
  --help           this text`;

export interface BenchArguments {
	only: Comparison[];
	/** Part of the names of the services with limits to run; all where undefined. */
	row?: string;
	/** First seed of the services drawn for the limiters; that of the version where undefined. */
	seed?: number;
	quick: boolean;
	help: boolean;
}

/**
 * Reads the benchmark's command line.
 *
 * @throws when an option is unknown or its value is not allowed; the message names it
 */
export function readArguments(args: string[]): BenchArguments {
	const { values } = parseArgs({
		args,
		options: {
			only: { type: 'string', multiple: true, default: [] },
			row: { type: 'string' },
			seed: { type: 'string' },
			quick: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	return {
		only: values.only.length > 0 ? values.only.map(comparison) : [...COMPARISONS],
		...(values.row === undefined ? {} : { row: values.row }),
		...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
		quick: values.quick,
		help: values.help,
	};
}

function comparison(name: string): Comparison {
	const found = COMPARISONS.find((one) => one === name);
	if (found === undefined) throw new Error(`--only takes one of ${COMPARISONS.join(', ')}, not "${name}".`);
	return found;
}
