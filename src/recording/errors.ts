/** Errors of unusable recordings, tapes and imports; damage: `read-report.ts`. */
import { defineErrors } from '../model/errors.ts';

export const recordingErrors = defineErrors({
  recording_not_found: {
    exit: 2,
    meaning: 'The path contains no recording and no tape.',
    remedy: 'Give a recording directory (it holds recording.json), a .tape file, or a directory of recordings.',
  },
  recording_manifest_invalid: {
    exit: 5,
    meaning: 'recording.json is missing fields, is not JSON, or is of a version that this program does not read.',
    remedy: 'Restore recording.json, or import or record the data again.',
  },
  recording_exists: {
    exit: 2,
    meaning:
      'The output directory already holds something else: other files, or a recording of another source or with other symbols.',
    remedy:
      'Give another --out directory, or remove what it holds first. An import or download replaces the folder as a whole.',
  },
  recording_busy: {
    exit: 3,
    meaning: 'Another process is importing into the same directory.',
    remedy:
      'Wait until it has ended, or give another --out. Where the process that is named is another program, remove the file that is named.',
  },
  recording_write_failed: {
    exit: 1,
    meaning: 'Frames could not be written: the disk is full, or the directory cannot be written to.',
    remedy:
      'Free space or fix permissions. What a recorder wrote before stays readable, and `tidewire data verify` says up to where; an import or a download leaves no recording behind.',
  },
  recording_overrun: {
    exit: 1,
    meaning: 'The disk was slower than the stream for so long that the write buffer was full and frames were dropped.',
    remedy: 'Record to a faster disk or fewer symbols. The recording holds a gap note that counts the dropped frames.',
  },
  recording_damaged: {
    exit: 5,
    meaning: 'Part of a recording is unreadable and --strict was given, or nothing of it can be read.',
    remedy: 'Run `tidewire data verify` to see what is lost; run without --strict to use the undamaged part.',
  },
  recording_empty: {
    exit: 2,
    meaning: 'The data holds no market event in the asked period.',
    remedy:
      'Check --from and --to. `tidewire data info` shows what a recording holds. A download gets what the exchange lists: of a sandbox bars from one day before it was started.',
  },
  tape_invalid: {
    exit: 5,
    meaning:
      'A .tape file is truncated, corrupted or of another version, and there is no recording beside it to rebuild it from.',
    remedy: 'Compile it again from its recording: `tidewire data compile PATH`.',
  },
  instrument_conflict: {
    exit: 2,
    meaning: 'Two of the given recordings describe the same symbol with another tick, lot or market.',
    remedy: 'Import one of them again with --instrument FILE, so that both agree.',
  },
  import_file_unreadable: {
    exit: 2,
    meaning: 'An input file does not exist or cannot be opened.',
    remedy: 'Check the path and its permissions.',
  },
  import_wrong_format: {
    exit: 2,
    meaning: 'An input file is not of the format that --from names.',
    remedy:
      'Mend what the message names, such as an interval. If it names no cause, check --from: binance-collector, tardis-csv, binance-vision, candles-csv or jsonl.',
  },
  import_wrong_symbol: {
    exit: 2,
    meaning: 'The input holds other symbols than the one asked for.',
    remedy: 'Give the symbol that the file holds with --symbol.',
  },
  import_bad_option: {
    exit: 2,
    meaning: 'An import option is missing or has a value that is not known.',
    remedy: 'See `tidewire data import --help`.',
  },
  import_truncated: {
    exit: 5,
    meaning: 'A compressed input ends early and --strict was given.',
    remedy: 'Fetch the file again, or import without --strict to keep what could be read.',
  },
  import_bad_instrument: {
    exit: 2,
    meaning: 'The --instrument file is not an instrument, is one of another symbol, or a contract that is not linear.',
    remedy:
      'Write JSON such as {"symbol":"BTCUSDT","market":"spot","base":"BTC","quote":"USDT","tickSize":"0.01","lotSize":"0.00001"}.',
  },
  export_unknown_format: {
    exit: 2,
    meaning: 'The export format is not known.',
    remedy: 'Use --format csv, jsonl or parquet.',
  },
});
