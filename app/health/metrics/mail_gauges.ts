import { findDeliveryProblem } from '#mails/queue/delivery_problem'
import { gaugeGroup } from './gauge_group.ts'

export const mailGauges = gaugeGroup({
  gauges: {
    gatehouse_mail_refused:
      '1 while the mail server refuses a mail that waits for another try, or does not answer.',
  },
  async read() {
    const problem = await findDeliveryProblem()
    return { gatehouse_mail_refused: [{ value: problem === null ? 0 : 1 }] }
  },
})
