/** Requests that every process has served before a load, in a prediction and in a measurement of the workshop. */
export const warmUpRequests = 1000;
