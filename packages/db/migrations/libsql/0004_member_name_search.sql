CREATE TABLE `member_name_parts` (
	`part` text NOT NULL,
	`member_id` integer NOT NULL,
	`position` integer NOT NULL,
	PRIMARY KEY(`part`, `member_id`, `position`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `members` ADD `searched_name` text;
--> statement-breakpoint
CREATE INDEX `members_searched_name_is_deleted_index` ON `members` (`searched_name`,`is_deleted`);
