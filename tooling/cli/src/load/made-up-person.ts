import type { RandomNumbers } from './random-numbers.js';

const FIRST_NAMES = (
  'Ada Aisha Alma Amara Anton Aron Astrid Bela Bjorn Bruno Carmen Chiara Clara Daniel Dara Elif Emil Esra Farid Fatima ' +
  'Felix Freya Gita Goran Greta Hana Hugo Ida Igor Ines Ivo Jana Jonas Kamal Karin Kofi Laila Lars Leila Lina Luca ' +
  'Magnus Maren Mateo Milan Mina Nadia Nils Noor Olga Omar Otto Paula Pavel Petra Rafael Rania Rosa Sami Sara Selma ' +
  'Sven Tariq Tessa Tomas Ulla Uma Vera Viktor Wanda Xenia Yara Yusuf Zoe'
).split(' ');

const LAST_NAMES = (
  'Abidi Adler Almeida Bakker Baumann Berg Brandt Castro Cohen Conti Dahl Dimitrov Duarte Eriksen Ferrari Fischer ' +
  'Fontaine Garcia Haddad Hansen Horvat Ivanov Jensen Kaya Keller Kovacs Kowalski Larsen Lindqvist Lopez Marsh Mbeki ' +
  'Meyer Moreau Nakamura Nguyen Novak Okafor Osei Papadakis Pereira Petrov Quist Ramos Ricci Rossi Ruiz Sato Schmidt ' +
  'Silva Singh Sorensen Tanaka Toth Ullmann Vargas Vogel Wagner Weiss Yilmaz Zeman'
).split(' ');

/** A generated member. Their id makes the username unique. */
export interface MadeUpPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}

export function madeUpPerson(id: number, random: RandomNumbers): MadeUpPerson {
  const firstName = oneOf(FIRST_NAMES, random);
  const lastName = oneOf(LAST_NAMES, random);
  return { firstName, lastName, username: `${firstName}.${lastName}${id}`.toLowerCase() };
}

const TRADES =
  'Studio Labs Works Foods Media Travel Books Garden Motors Health Design Music Sports Tools'.split(' ');

/** The name of a generated account. Several share one, as in real life. */
export function madeUpAccountName(random: RandomNumbers): string {
  return `${oneOf(LAST_NAMES, random)} ${oneOf(TRADES, random)} ${oneOf(FIRST_NAMES, random)}`;
}

function oneOf<Item>(items: readonly Item[], random: RandomNumbers): Item {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new RangeError('Nothing to choose from');
  return item;
}
