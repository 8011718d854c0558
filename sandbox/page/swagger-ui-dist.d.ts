declare module 'swagger-ui-dist/absolute-path.js' {
	/** Folder of the built files. */
	function getAbsoluteFSPath(): string;
	export = getAbsoluteFSPath;
}
