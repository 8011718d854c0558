import { HospitalityBooking } from '../../../nodes/HospitalityBooking/HospitalityBooking.node';
import type { Engine } from './engine';

export const TOOL = 'test.tool';

/** Adds the node as n8n runs it for a tool of an AI agent: with its engine for declarative nodes alone. */
export function addTool(engine: Engine): void {
	const { description, methods } = new HospitalityBooking();
	engine.nodeTypes.add(TOOL, { description: { ...description, name: TOOL }, methods });
}
