/** The part of n8n's scanner that has no types of its own. */
declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
	export interface ScanResult {
		passed: boolean;
		message?: string;
		/** ESLint's findings as a text, for people. */
		details?: string;
	}
	export const SOURCE_FILE_PATTERNS: string[];
	export function analyzePackage(packageDir: string, filePatterns?: string[]): Promise<ScanResult>;
}
