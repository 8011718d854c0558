/** What one process remembers of a trigger between its polls. n8n gives a node no other place for it. */
export interface NodeMemory {
	/** The poll under way. */
	running?: Promise<unknown>;
	/** How many polls in a row took all of their time. */
	slowPolls: number;
	/** The state that the last batch was emitted from, and when. */
	emitted?: { from: string; at: number };
	/**
	 * Undefined until the node has polled since n8n was started; then the state that the last batch went out again from,
	 * or null. Still that state means that n8n has not taken the batch, as when the workflow was published again meanwhile.
	 */
	emittedAgainFrom?: string | null;
}

/** Triggers of one process; beyond that the one that was quiet longest is forgotten. */
const MAX_REMEMBERED = 1000;

const nodes = new Map<string, NodeMemory>();

/** @param id stands for the node within this process */
export function memoryOf(id: string): NodeMemory {
	const memory = nodes.get(id) ?? { slowPolls: 0 };
	nodes.delete(id);
	nodes.set(id, memory);
	const [oldest = ''] = nodes.keys();
	if (nodes.size > MAX_REMEMBERED) nodes.delete(oldest);
	return memory;
}
