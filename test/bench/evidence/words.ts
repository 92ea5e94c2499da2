/*
 * The vocabulary of the evidence bench: the documents around a fact are written with the same words as the fact itself,
 * so that no word gives it away.
 */
const split = (words: string): string[] => words.trim().split(/\s+/);

export const nouns = split(`
  importer scheduler gateway ledger bucket catalog printer parser router mailbox archive session upload export invoice
  tenant cluster shard replica queue topic webhook cursor snapshot backup index table column trigger migration schema
  tenant widget panel report chart filter sensor meter valve pump turbine boiler sampler probe beacon antenna relay
  adapter driver kernel mount volume folder manifest bundle package module plugin theme layout template draft comment
  review branch commit tag release runner pipeline stage artifact badge token secret certificate keyring vault policy
  role group member guest owner partner vendor order basket coupon refund payment shipment parcel label warehouse shelf
  pallet truck route depot ticket incident alert dashboard forecast budget account journal entry balance quota limit`);

export const verbs = split(`
  import index queue flush mount patch filter render export upload mirror rotate inspect collect reject forward rename
  restore reload repair reorder resort restart report record review revisit release replay revisit sample
  select shift signal spool stack stamp start stream stretch suspend target throttle trace track translate
  unlock update validate verify warm watch`);

export const adjectives = split(`
  nightly weekly regional global local remote stale fresh partial complete manual automatic legacy modern shared private
  public internal external primary secondary spare idle busy narrow broad shallow deep early late silent verbose strict
  lenient nested flat sparse dense frozen signed hidden visible archived pending rolling ordered random steady quiet
  northern southern eastern western upper lower inner outer digital analog paper metal wooden plastic`);

export const past = (verb: string): string =>
  /[^aeiou]y$/.test(verb) ? verb.replace(/y$/, 'ied') : verb.endsWith('e') ? `${verb}d` : `${verb}ed`;
export const gerund = (verb: string): string => `${verb.replace(/e$/, '')}ing`;
export const plural = (noun: string): string => {
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, 'ies');
  return /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
};
