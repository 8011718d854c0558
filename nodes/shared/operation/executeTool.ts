import type { IExecutePaginationFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { toNodeError } from '../errors/nodeErrors';
import { InvalidValueError } from '../values/invalidValue';
import { RecordOrder } from '../http/concurrency/recordOrder';
import { executeItem } from './executeItem';
import { UNCHECKED, createItemContext, errorContextOf } from './itemContext';
import { linkedItems } from './itemOutput';
import { type Operation, type Service, findOperation } from './operation';
import { readItemSettings, readTimeZone } from './runSettings';

/** Runs one item as a tool of an AI agent: there n8n's engine for declarative nodes runs the node. */
export function executeTool(service: Service) {
	return async function (this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const node = this.getNode();
		const read = (name: string) => this.getNodeParameter(name, '', UNCHECKED);
		const operation = chosenOperation(service, node, read('resource'), read('operation'));
		const errorContext = errorContextOf(node, service, operation, this.getItemIndex());
		return await linkedItems(this, errorContext, async () => {
			const timeZone = await readTimeZone(this, service, operation);
			const item = createItemContext(this, errorContext, timeZone, read);
			const settings = readItemSettings(item, Date.now());
			return await executeItem(item, service, operation, settings, new RecordOrder());
		});
	};
}

function chosenOperation(service: Service, node: INode, resource: unknown, operation: unknown): Operation {
	const found = findOperation(service, resource, operation);
	if (found) return found;
	const invalid = new InvalidValueError(
		'Operation',
		`is '${String(operation)}' of '${String(resource)}', which does not exist`,
		'Choose a resource and an operation from the lists',
	);
	throw toNodeError({ node, action: 'Choose operation' }, invalid);
}
