/** How the tries of this process to deliver a mail ended, for the metrics. */
export const mailOutcomes = { sent: 0, deferred: 0, failed: 0 }
