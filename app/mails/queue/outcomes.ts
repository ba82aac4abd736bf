/** For the metrics of this process. */
export const mailOutcomes = { sent: 0, deferred: 0, failed: 0 }
