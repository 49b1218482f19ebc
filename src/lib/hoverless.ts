/** Whether this device has no pointer that can hover over something to show its tools. */
export const hoverless = matchMedia('(hover: none)').matches
