import { existsSync, readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';

// Loaded into n8n with --import: calls of Google's Sheets API and of Twilio's go to the stand-ins whose addresses are in the
// file named by GOOGLE_STAND_IN, and in the one beside it that ends with .twilio.
const FILES = {
	'sheets.googleapis.com': process.env.GOOGLE_STAND_IN,
	'api.twilio.com': `${process.env.GOOGLE_STAND_IN}.twilio`,
};
const { request } = https;
https.request = (options, ...rest) => {
	const file = FILES[options.hostname];
	if (file === undefined || !existsSync(file)) return request(options, ...rest);
	const { hostname, port } = new URL(readFileSync(file, 'utf8'));
	const { agent: _agent, agents: _agents, ...kept } = options;
	return http.request({ ...kept, protocol: 'http:', host: hostname, hostname, port }, ...rest);
};
