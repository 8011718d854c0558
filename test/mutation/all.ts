import { globSync } from 'node:fs';

/** All in one file: StrykerJS starts jest anew for each mutant, and each test file would load n8n-workflow again. */
const TESTS = [
	'test/unit/{shared,trigger,HospitalityBooking}/**/*.test.ts',
	'test/unit/{requests,hostileValues}.test.ts',
];
/** Whose calls take their own time, whose fake clock would be everybody's, or that read the source, which StrykerJS changes. */
const LEFT_OUT = /\/(help|outages|response|callQueue|sendInOrder|tokens|recovery)\.test\.ts$/;

for (const file of globSync(TESTS, { cwd: process.cwd() }))
	if (!LEFT_OUT.test(`/${file}`)) jest.requireActual(`${process.cwd()}/${file}`);
