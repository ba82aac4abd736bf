/** An archive may come from an attacker: it is read before its origin is proved. */
export default {
  /** The manifest names about 50 entries and 100 migrations. */
  backupManifestBytes: 1_048_576,

  /** A picture has at most 4 MB, and a third more in base64. */
  backupRowBytes: 8_388_608,

  /** Files other than tables are held in memory: a logo, the keyrings, texts of forty languages. */
  backupFileBytes: 1_048_576,
  backupFiles: 1_000,

  /** A decompression bomb unpacks 10 GB from 1 MB; a table of repeated rows comes to 60 to 1. */
  backupUnpackedTimes: 1_000,
  backupUnpackedBytes: 67_108_864,
}
