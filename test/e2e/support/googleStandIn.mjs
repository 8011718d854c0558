import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';

// Loaded into n8n with --import: calls of Google's Sheets API go to the stand-in whose address is in the file named by
// GOOGLE_STAND_IN.
const { request } = https;
https.request = (options, ...rest) => {
	if (options.hostname !== 'sheets.googleapis.com') return request(options, ...rest);
	const { hostname, port } = new URL(readFileSync(process.env.GOOGLE_STAND_IN, 'utf8'));
	const { agent: _agent, agents: _agents, ...kept } = options;
	return http.request({ ...kept, protocol: 'http:', host: hostname, hostname, port }, ...rest);
};
