/** Jest's fake timers. They leave the time that this process is at work without an answer: it is none here. */
export function useFakeTimers(): void {
	jest.useFakeTimers();
	jest.spyOn(performance, 'eventLoopUtilization').mockReturnValue({ idle: 0, active: 0, utilization: 0 });
}
