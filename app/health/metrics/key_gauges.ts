import { signerAges } from '#auth/signing_keys/key_records'
import { gaugeGroup } from './gauge_group.ts'

export const keyGauges = gaugeGroup({
  gauges: {
    gatehouse_signing_key_age_seconds:
      'How long the current key has signed, by purpose; none where no token is signed by it.',
  },
  async read() {
    const ages = await signerAges()
    const samples = ages.map(({ purpose, ageMs }) => ({
      labels: { purpose },
      value: ageMs / 1_000,
    }))
    return { gatehouse_signing_key_age_seconds: samples }
  },
})
