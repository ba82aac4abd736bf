/** An archive may come from an attacker: it is read before anything proves where it is from. */
export default {
  /** It names about 50 entries and 100 migrations. */
  backupManifestBytes: 1_048_576,

  /** A picture has at most 4 MB, and two thirds more as text. */
  backupRowBytes: 8_388_608,

  /** What is no table is held in memory: a logo, the keyrings, and texts of forty languages. */
  backupFileBytes: 1_048_576,
  backupFiles: 1_000,

  /** A bomb unpacks 10 GB from 1 MB; a table of repeated rows comes to 60 to 1. */
  backupUnpackedTimes: 1_000,
  backupUnpackedBytes: 67_108_864,
}
