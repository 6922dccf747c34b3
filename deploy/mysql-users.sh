#!/bin/sh
# What the image of MySQL runs once, when it makes its files: the user who migrates, who may do everything in the database and
# grant it, and the user of the services, who may do nothing until `gatehouse migrate` grants what they need.
set -eu
secret() { cat "/run/secrets/$1"; }
MYSQL_PWD=$(secret MYSQL_ROOT_PASSWORD) mysql --protocol=socket --user=root <<SQL
CREATE USER 'gatehouse_migrations'@'%' IDENTIFIED BY '$(secret MYSQL_MIGRATION_PASSWORD)';
GRANT ALL PRIVILEGES ON gatehouse.* TO 'gatehouse_migrations'@'%' WITH GRANT OPTION;
CREATE USER 'gatehouse'@'%' IDENTIFIED BY '$(secret MYSQL_PASSWORD)';
SQL
