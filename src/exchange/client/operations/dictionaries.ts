/** Reads of assets and networks. */
import type { Clock, Lane } from '../../../model/ports.ts';
import type { Reading } from '../../../model/result.ts';
import { assetSchema, networkSchema, type Asset, type NetworkTitle } from '../../wire/market/dictionaries.ts';
import type { HttpClient } from '../http.ts';
import { readList, type Answer } from './answer.ts';
import { readPages } from './pages.ts';

export interface DictionaryOperations {
  assets(): Promise<Answer<readonly Asset[]>>;
  networks(): Promise<Reading<NetworkTitle>>;
}

export function createDictionaryOperations(http: HttpClient, clock: Clock, lane: Lane): DictionaryOperations {
  return Object.freeze({
    assets: () => readList(http, { endpoint: 'assets', lane }, assetSchema),
    networks: () => readPages(http, clock, { endpoint: 'networks', lane, paged: true }, networkSchema),
  });
}
