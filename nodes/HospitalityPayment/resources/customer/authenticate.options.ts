import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** Options of 'Authenticate customer' alone. */
export const authenticateOptions: INodeProperties[] = [
	{
		displayName: 'Include Token',
		name: 'includeToken',
		type: 'boolean',
		default: false,
		description:
			'Whether to put the AuthenticationToken into the output. It is masked otherwise, because everyone who can open the execution could use it.',
		displayOptions: { show: { '/resource': ['customer'], '/operation': ['authenticate'] } },
	},
];

export const includesToken = (options: IDataObject): boolean => options.includeToken === true;
