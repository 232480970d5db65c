/**
 * Rows of the table `store_sales` of TPC-DS from a seed. A row is a function of (seed, number) alone.
 *
 * From the specification (v3, clause 2.4.2, and its generator `dsdgen`): the 23 columns with their order and types;
 * tickets of 8 to 16 rows which share date, time, customer, demographics, address and store; items that are distinct
 * within a ticket; 9% of the rows have nulls, in each column but item and ticket with probability ½, hence 4.5% of the
 * values; quantities of 1 to 100; wholesale cost of 1.00 to 100.00; mark-up and discount of 0 to 100%; a coupon on 20%
 * of the rows; tax of 0 to 9%; and the arithmetic between prices, which truncates to cents. Key ranges are those of
 * scale factor 1.
 *
 * Different from `dsdgen`: the random numbers; days and stores are uniform, without the weights of the calendar and
 * without history of dimensions; consecutive pairs of tickets have 24 rows, which makes rows addressable; and
 * `ss_ext_discount_amt` is the discount of the specification, where `dsdgen` prints the coupon a second time.
 */
import type { RandomStream } from '@topo-bench/core';
import { streams } from '@topo-bench/workload';

/** `integer`: 32 bits. `decimal`: 7 digits, 2 of them after the point; values are in cents. */
export interface StoreSalesColumn {
  name: string;
  type: 'integer' | 'decimal';
  nullable: boolean;
}

export const storeSalesColumns: readonly StoreSalesColumn[] = [
  ...['ss_sold_date_sk', 'ss_sold_time_sk', 'ss_item_sk', 'ss_customer_sk', 'ss_cdemo_sk', 'ss_hdemo_sk'],
  ...['ss_addr_sk', 'ss_store_sk', 'ss_promo_sk', 'ss_ticket_number', 'ss_quantity', 'ss_wholesale_cost'],
  ...['ss_list_price', 'ss_sales_price', 'ss_ext_discount_amt', 'ss_ext_sales_price', 'ss_ext_wholesale_cost'],
  ...['ss_ext_list_price', 'ss_ext_tax', 'ss_coupon_amt', 'ss_net_paid', 'ss_net_paid_inc_tax', 'ss_net_profit'],
].map((name, place) => ({
  name,
  type: place < 11 ? 'integer' : 'decimal',
  nullable: name !== 'ss_item_sk' && name !== 'ss_ticket_number',
}));

/** Days as Julian day numbers: 1998-01-02 to 2003-01-02. */
const [firstDay, days] = [2_450_816, 1827];
/** Seconds of the day: stores are open from 8:00 to 21:00. */
const [opening, openSeconds] = [28_800, 46_800];
const items = 18_000;
const customers = 100_000;
const customerDemographics = 1_920_800;
const householdDemographics = 7200;
const addresses = 50_000;
const stores = 12;
const promotions = 300;
/** Prime to the number of items: consecutive multiples are distinct. */
const itemStep = 7919;

const pairRows = 24;
const [minTicketRows, ticketSizes] = [8, 9];
const nullRowsPer10000 = 900;
const couponPercent = 20;

interface Ticket {
  number: number;
  firstItem: number;
  /** Values of the columns that its rows share, by place of the column. */
  shared: readonly number[];
}

/** Rows in order are cheaper: a ticket is drawn once. */
export class StoreSales {
  private ticket: Ticket | undefined;
  private pair = -1;
  private firstSize = 0;

  constructor(private readonly seed: number) {}

  /**
   * Writes the 23 values of a row; null is `undefined`, decimals are in cents.
   * @param number of the row, from 0
   */
  row(number: number, into: (number | undefined)[]): void {
    const pair = Math.floor(number / pairRows);
    const offset = number - pair * pairRows;
    this.enter(pair);
    const isFirst = offset < this.firstSize;
    const ticket = this.ticketOf(2 * pair + (isFirst ? 1 : 2));
    const place = isFirst ? offset : offset - this.firstSize;
    const random = streams.storeSalesRow(this.seed, number);
    for (let column = 0; column < 8; column++) into[column] = ticket.shared[column];
    into[2] = 1 + (((ticket.firstItem + place) * itemStep) % items);
    into[8] = 1 + random.integer(promotions);
    into[9] = ticket.number;
    writePrices(random, into);
    writeNulls(random, into);
  }

  private enter(pair: number): void {
    if (pair === this.pair) return;
    this.pair = pair;
    this.firstSize = minTicketRows + streams.storeSalesTicket(this.seed, -pair - 1).integer(ticketSizes);
  }

  private ticketOf(number: number): Ticket {
    if (this.ticket?.number !== number) this.ticket = drawTicket(this.seed, number);
    return this.ticket;
  }
}

function drawTicket(seed: number, number: number): Ticket {
  const random = streams.storeSalesTicket(seed, number);
  const date = firstDay + random.integer(days);
  const time = opening + random.integer(openSeconds);
  const firstItem = random.integer(items);
  const [customer, demographics, household, address, store] = [
    customers,
    customerDemographics,
    householdDemographics,
    addresses,
    stores,
  ].map((count) => 1 + random.integer(count)) as [number, number, number, number, number];
  return { number, firstItem, shared: [date, time, 0, customer, demographics, household, address, store] };
}

/** Products of cents and hundredths are below 2^53; their last two digits are cut off. */
function writePrices(random: RandomStream, into: (number | undefined)[]): void {
  const quantity = 1 + random.integer(100);
  const wholesale = 100 + random.integer(9901);
  const list = Math.floor((wholesale * (100 + random.integer(101))) / 100);
  const sales = Math.floor((list * (100 - random.integer(101))) / 100);
  const extSales = sales * quantity;
  const extList = list * quantity;
  const extWholesale = wholesale * quantity;
  const couponShare = random.integer(101);
  const coupon = random.integer(100) < couponPercent ? Math.floor((extSales * couponShare) / 100) : 0;
  const paid = extSales - coupon;
  const tax = Math.floor((paid * random.integer(10)) / 100);
  into[10] = quantity;
  into[11] = wholesale;
  into[12] = list;
  into[13] = sales;
  into[14] = extList - extSales;
  into[15] = extSales;
  into[16] = extWholesale;
  into[17] = extList;
  into[18] = tax;
  into[19] = coupon;
  into[20] = paid;
  into[21] = paid + tax;
  into[22] = paid - extWholesale;
}

function writeNulls(random: RandomStream, into: (number | undefined)[]): void {
  if (random.integer(10_000) >= nullRowsPer10000) return;
  const bits = random.integer(2 ** storeSalesColumns.length);
  for (const [place, { nullable }] of storeSalesColumns.entries())
    if (nullable && (bits >> place) & 1) into[place] = undefined;
}
