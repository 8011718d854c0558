import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import get from 'lodash/get';
import isEqual from 'lodash/isEqual';
import startCase from 'lodash/startCase';

import { InvalidValueError } from '../values/invalidValue';
import type { CredentialName } from './account';

/**
 * n8n evaluates the expressions of a credential for each item, but a run has one account. Reading it for an item that does not
 * exist, and for the second, shows whether it depends on the item; only then is it read for each.
 *
 * @param first the credential of the first item
 * @throws InvalidValueError naming a field that differs by item
 */
export async function checkSameForAllItems(
	context: IExecuteFunctions,
	credential: CredentialName,
	first: ICredentialDataDecryptedObject,
): Promise<void> {
	const count = context.getInputData().length;
	if (count <= 1) return;
	const differingField = async (itemIndex: number): Promise<string | undefined> => {
		const other = await context.getCredentials(credential, itemIndex).catch(() => ({}));
		const names = Object.keys(first);
		return names.find((name) => !isEqual(first[name], get(other, name)));
	};
	const differing = (await differingField(count)) ?? (await differingField(1));
	if (differing === undefined) return;
	for (let itemIndex = 1; itemIndex < count; itemIndex++) {
		const name = await differingField(itemIndex);
		if (name === undefined) continue;
		throw new InvalidValueError(
			startCase(name),
			`of the credential differs by item (item ${itemIndex})`,
			"Use a fixed value. For several systems in one run, use 'System' under Options",
		);
	}
}
